import { useMutation } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { supabase, unwrap } from '@/lib/supabase';
import { ownDataFiles } from './own-data';

const answer = z.record(z.string(), z.unknown());

/** The caller's own data as a ZIP archive (BEY-24). Errors: see get_own_data. */
export function useOwnDataArchive() {
  return useMutation({
    meta: { calls: ['get_own_data'] },
    mutationFn: async (): Promise<Blob> => {
      const data = answer.parse(await unwrap(supabase().rpc('get_own_data')));
      // Rarely needed, so lazy-loaded.
      const { strToU8, zipSync } = await import('fflate');
      const files = Object.entries(ownDataFiles(data));
      return new Blob([zipSync(Object.fromEntries(files.map(([name, text]) => [name, strToU8(text)])))], {
        type: 'application/zip',
      });
    },
  });
}
