export { BalanceChart } from './components/balance-chart';
export { HeldPoints } from './components/held-points';
export { PointsChip } from './components/points-chip';
export { TransactionIcon, TransactionList } from './components/transaction-list';
export {
  fetchProjectTransactions,
  type PayoutDay,
  type ProjectPoints,
  type ProjectTransaction,
  projectViews,
  projectWalletQueries,
} from './project-queries';
export {
  availablePoints,
  fetchWholeHistory,
  type OwnHistoryView,
  type OwnTransaction,
  ownHistoryViews,
  type Transaction,
  type Wallet,
  walletQueries,
} from './queries';
