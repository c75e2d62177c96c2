import { staleQueries } from './stale-queries';

const sources = import.meta.glob<string>(['../**/*.{ts,tsx}', '!../**/*.test.{ts,tsx}', '!../**/testing/**'], {
  query: '?raw',
  import: 'default',
  eager: true,
});
const mutationFiles = Object.entries(sources).filter(([path]) => /[/-]mutations\.ts$/.test(path));
const known = Object.keys(staleQueries);

/** Procedures that a file calls to change something; reads use GET. */
function changesIn(source: string): string[] {
  return [...source.matchAll(/\.rpc\(\s*'(\w+)'(?:(?!\.rpc\()[\s\S])*?\)/g)]
    .map(([, name = '']) => name)
    .filter((name) => !new RegExp(`rpc\\('${name}'(?:(?!\\.rpc\\()[^;])*get: true`).test(source));
}

describe('the stale queries of a mutation', () => {
  it.each(mutationFiles)('are declared for every procedure in %s', (_path, source) => {
    expect(changesIn(source).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('are declared only for procedures that a mutation calls', () => {
    const called = Object.values(sources).flatMap(changesIn);
    expect(called.length).toBeGreaterThan(30);
    const ofFunctions = ['create_checkout_session', 'check_task', 'test_endpoint'];
    expect(known.filter((name) => ![...called, ...ofFunctions].includes(name))).toEqual([]);
  });

  it('are looked up by every mutation of the app', () => {
    const mutations = Object.entries(sources).flatMap(([path, source]) =>
      source
        .split(/\buseMutation\(/)
        .slice(1)
        .map(
          (rest) => [path, /^[\s\S]*?\bmeta: \{ calls\b/.test(rest.split(/\nexport |\nfunction /)[0] ?? '')] as const,
        ),
    );
    expect(mutations.length).toBeGreaterThan(15);
    expect(mutations.filter(([, hasCalls]) => !hasCalls)).toEqual([]);
  });

  it('are invalidated nowhere else, and never without a key', () => {
    const others = Object.keys(sources).filter((path) => sources[path]?.includes('.invalidateQueries('));
    expect(others).toEqual(['./stale-queries.ts']);
    expect(sources['./stale-queries.ts']).toContain('.invalidateQueries({ queryKey, refetchType })');
  });
});
