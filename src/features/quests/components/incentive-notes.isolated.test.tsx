import { screen } from '@testing-library/react';

it('BEY-15 dates a rule by its day also west of Greenwich, where midnight UTC is the day before', async () => {
  // Formatters keep the time zone that they were made in.
  vi.stubEnv('TZ', 'America/Los_Angeles');
  vi.resetModules();
  const { fakeApi } = await import('@/lib/testing/fake-api');
  const { renderApp, signedIn } = await import('@/lib/testing/render');
  const { IncentiveNotice } = await import('./incentive-notes');
  const rule = {
    id: 'trustpilot',
    place: 'Trustpilot',
    rule: 'No incentive of any kind.',
    source_url: 'https://support.example.org/rules',
    source_date: '2026-11-22',
    alternative_title: 'Tell us what you think',
    alternative: 'Say here what worked.',
    is_forbidden: true,
  };
  fakeApi({ 'rpc check_incentives': [rule] });
  renderApp(<IncentiveNotice title="Review us" instructions="Write on Trustpilot" onReplace={() => {}} />, {
    identity: signedIn('startup_verified'),
  });
  expect(await screen.findByRole('link')).toHaveTextContent('Rule as of Nov 22, 2026');
});
