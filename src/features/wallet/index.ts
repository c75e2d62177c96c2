export { BalanceChart } from './components/balance-chart';
export { PointsChip } from './components/points-chip';
export { TransactionList } from './components/transaction-list';
export { WalletHistory } from './components/wallet-history';
export { type Transaction, type Wallet, walletQueries } from './queries';
