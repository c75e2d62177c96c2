export { adminTabPath, adminTabs } from './tabs';
