import type { Connection, Network } from './fetch-public.ts';

/** The network of the platform's functions. */
export const denoNetwork: Network = {
  resolve: async (host) => {
    const answers = await Promise.allSettled([Deno.resolveDns(host, 'A'), Deno.resolveDns(host, 'AAAA')]);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  },
  connect: async (hostname, host) =>
    toConnection(await Deno.startTls(await Deno.connect({ hostname, port: 443 }), { hostname: host })),
};

/** Deno closes a connection by itself when its stream has been read to the end, and calls closing it again an error. */
export function toConnection(connection: Deno.Conn): Connection {
  return {
    readable: connection.readable,
    writable: connection.writable,
    close: () => {
      try {
        connection.close();
      } catch (error) {
        if (!(error instanceof Deno.errors.BadResource)) throw error;
      }
    },
  };
}
