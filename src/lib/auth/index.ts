export { AuthForm } from './auth-form';
export { AuthProvider } from './auth-provider';
export { type Session, useSession, useSignOut } from './session';
export { getToken } from './token';
