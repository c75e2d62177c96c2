import type { Network } from './fetch-public.ts';

/** The internet, as the platform's functions reach it. */
export const denoNetwork: Network = {
  resolve: async (host) => {
    const answers = await Promise.allSettled([Deno.resolveDns(host, 'A'), Deno.resolveDns(host, 'AAAA')]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  },
  connect: async (hostname, host) => Deno.startTls(await Deno.connect({ hostname, port: 443 }), { hostname: host }),
};
