export { AuthForm } from './auth-form';
export { AuthProvider } from './auth-provider';
export { type Session, useOpenAccount, useSession, useSessionStatus, useSignOut } from './session';
export { getToken } from './token';
