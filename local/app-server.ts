import { type StackEnv, viteEnv } from './env.ts';
import { PROJECT_ROOT, program } from './paths.ts';
import { type Child, type PartFailure, startChild } from './process/child.ts';

export interface AppServerOptions {
  /** `dev` serves the sources with hot reload, `preview` the built files. */
  mode: 'dev' | 'preview';
  env: StackEnv;
  port: number;
  onSpawn?: (pid: number) => void;
  onFailure: (failure: PartFailure) => void;
  /** Directory of the built files for `preview`; Vite's default unless given. */
  outDir?: string;
}

/** Serves the app with Vite on 127.0.0.1, configured for a stack. */
export function startAppServer({ mode, env, port, onSpawn, onFailure, outDir }: AppServerOptions): Promise<Child> {
  const command = mode === 'dev' ? [] : ['preview', ...(outDir ? ['--outDir', outDir] : [])];
  let isListening = false;
  return startChild({
    name: "The app's server (Vite)",
    command: program('vite'),
    args: [...command, '--port', String(port), '--strictPort', '--clearScreen', 'false'],
    cwd: PROJECT_ROOT,
    // Without CI Vite ends when its stdin closes, so that it never outlives this process.
    env: { ...process.env, ...viteEnv(env), CI: undefined, NO_COLOR: '1', FORCE_COLOR: undefined },
    onLine: (line) => {
      isListening ||= line.includes(`127.0.0.1:${port}`);
      if (isListening && /error/i.test(line)) console.error(line);
    },
    onSpawn,
    isReady: () => isListening,
    onFailure,
  });
}
