export { MailPreferences } from './components/mail-preferences';
export { NotificationBell } from './components/notification-bell';
export { UnreadNews } from './components/unread-news';
export { describeNotification } from './notification';
export { notificationQueries } from './queries';
