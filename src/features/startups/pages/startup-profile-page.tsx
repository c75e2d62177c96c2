import { Navigate } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { OwnStartup } from '../components/own-startup';

/** Has no screen of its own: leads to creating a profile, or to editing the one there is (ROUTE-10, C-30). */
export function StartupProfilePage() {
  return <OwnStartup>{() => <Navigate to={paths.startupEdit} replace />}</OwnStartup>;
}
