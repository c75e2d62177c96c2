export { MailPreferences } from './components/mail-preferences';
export { NotificationBell } from './components/notification-bell';
