export { AuthForm } from './auth-form';
export { AuthProvider } from './auth-provider';
export { authPageOf, isFirstAuthStep } from './auth-steps';
export { type Session, useOpenAccount, useSession, useSignOut } from './session';
export { getToken } from './token';
