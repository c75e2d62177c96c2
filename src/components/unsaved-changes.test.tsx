import { act, screen } from '@testing-library/react';
import { useState } from 'react';
import { renderApp } from '@/lib/testing/render';
import { useUnsavedChanges } from './unsaved-changes';

let save: () => void;

function Form(props: { isDirty: boolean }) {
  const [isDirty, setIsDirty] = useState(props.isDirty);
  save = () => setIsDirty(false);
  const { dialog } = useUnsavedChanges(isDirty);
  return <>{dialog}</>;
}

const open = (isDirty: boolean) => renderApp(<Form isDirty={isDirty} />, { path: '/admin?tab=settings&sort=new' });
const question = () => screen.queryByRole('alertdialog', { name: 'Leave without saving?' });

describe('unsaved changes', () => {
  it.each(['/admin', '/admin?tab=audit', '/browse'])('ask for confirmation before navigating to %s', async (target) => {
    const { router, user } = open(true);
    await act(() => router.navigate(target));
    expect(question()).toBeVisible();
    expect(router.state.location.search).toBe('?tab=settings&sort=new');
    await user.click(screen.getByRole('button', { name: 'Leave page' }));
    expect(router.state.location.pathname + router.state.location.search).toBe(target);
  });

  it('are kept when the user stays', async () => {
    const { router, user } = open(true);
    await act(() => router.navigate('/admin?tab=audit'));
    await user.click(screen.getByRole('button', { name: 'Keep editing' }));
    expect(question()).not.toBeInTheDocument();
    expect(router.state.location.search).toBe('?tab=settings&sort=new');
  });

  it('that have been saved while it was asked do not keep anybody', async () => {
    const { router } = open(true);
    await act(() => router.navigate('/admin?tab=audit'));
    expect(question()).toBeVisible();
    await act(() => save());
    expect(question()).not.toBeInTheDocument();
    expect(router.state.location.search).toBe('?tab=audit');
  });

  it('are not affected by another search, sort or page of the same tab', async () => {
    const { router } = open(true);
    await act(() => router.navigate('/admin?tab=settings&sort=old&q=x'));
    expect(question()).not.toBeInTheDocument();
    expect(router.state.location.search).toBe('?tab=settings&sort=old&q=x');
  });

  it('without changes, no confirmation is asked', async () => {
    const { router } = open(false);
    await act(() => router.navigate('/admin?tab=audit'));
    expect(question()).not.toBeInTheDocument();
    expect(router.state.location.search).toBe('?tab=audit');
  });
});
