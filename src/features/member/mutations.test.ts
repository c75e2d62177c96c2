// @vitest-environment jsdom
import { act } from '@testing-library/react';
import { unzipSync } from 'fflate';
import { fakeApi } from '@/lib/testing/fake-api';
import { runMutation } from '@/lib/testing/run-mutation';
import { ownDataFileName, ownDataFiles, useOwnDataArchive } from './mutations';

it('BEY-24 the data export is a ZIP archive with all its files', async () => {
  const data = { profile: { user_id: 'user_test' }, submissions: [{ id: 's1', proof_text: 'Done' }] };
  fakeApi({ 'rpc get_own_data': data });
  const { data: archive } = await runMutation(useOwnDataArchive, undefined);
  expect(archive?.type).toBe('application/zip');
  const reader = new FileReader();
  await act(async () => {
    const read = new Promise((resolve) => reader.addEventListener('load', resolve));
    reader.readAsArrayBuffer(archive ?? new Blob());
    await read;
  });
  const files = Object.entries(unzipSync(new Uint8Array(reader.result as ArrayBuffer)));
  expect(
    Object.fromEntries(
      files.map(([name, bytes]) => [name, new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)]),
    ),
  ).toEqual(ownDataFiles(data));
});

it('BEY-24 contains everything as JSON, and each kind with rows as a CSV table', () => {
  const data = {
    made_at: '2026-01-05',
    profile: [{ user_id: 'user_1', verified_socials: { x: 'robin' }, email: null }],
    transactions: [
      { id: 1, points: 10 },
      { id: 2, description: '=SUM(1)' },
    ],
    redemptions: [],
  };
  const files = ownDataFiles(data);
  expect(Object.keys(files)).toEqual(['everything.json', 'profile.csv', 'transactions.csv']);
  expect(JSON.parse(files['everything.json'] ?? '')).toEqual(data);
  expect(files['profile.csv']).toBe(
    '\uFEFF"user_id","verified_socials","email"\r\n"user_1","{""x"":""robin""}",""\r\n',
  );
  // The union of all columns, and no CSV formula.
  expect(files['transactions.csv']).toBe('\uFEFF"id","points","description"\r\n"1","10",""\r\n"2","","\'=SUM(1)"\r\n');
});

it('is named after the day', () => {
  expect(ownDataFileName(new Date('2026-01-05T10:00:00Z'))).toBe('questboard_my_data_2026-01-05.zip');
});
