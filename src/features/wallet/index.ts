export { BalanceChart } from './components/balance-chart';
export { PointsChip } from './components/points-chip';
export { TransactionList } from './components/transaction-list';
export { WalletHistory } from './components/wallet-history';
export { type PayoutDay, payoutsByDay, periodStart, signedPoints } from './points-series';
export { payoutLimit, type Transaction, type Wallet, walletQueries } from './queries';
