// @vitest-environment jsdom
import { act } from '@testing-library/react';
import { unzipSync } from 'fflate';
import { fakeApi } from '@/lib/testing/fake-api';
import { runMutation } from '@/lib/testing/run-mutation';
import { useOwnDataArchive } from './mutations';
import { ownDataFiles } from './own-data';

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
