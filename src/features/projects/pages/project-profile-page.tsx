import { Navigate } from 'react-router-dom';
import { paths } from '@/lib/paths';
import { OwnProject } from '../components/own-project';

/** Redirects to creating a profile, or to editing the existing one (ROUTE-10, C-30). */
export default function ProjectProfilePage() {
  return <OwnProject>{() => <Navigate to={paths.projectEdit} replace />}</OwnProject>;
}
