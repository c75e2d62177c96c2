import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { FUNCTION_VARIABLES } from '../functions/environment.ts';
import { PROJECT_ROOT } from '../paths.ts';
import { readSettings, settingsSchema } from './settings.ts';

const explained = (file: string) =>
  [...readFileSync(join(PROJECT_ROOT, file), 'utf8').matchAll(/^(?:# )?([A-Z_]+)=/gm)].map(([, name]) => name);

it('the example files explain every variable', () => {
  const app = explained('.env.example');
  const functions = explained('supabase/functions/.env.example');
  expect([...app, ...functions]).toEqual(expect.arrayContaining(Object.keys(settingsSchema.shape)));
  // What the platform sets itself needs no explaining.
  expect(functions).toEqual(expect.arrayContaining(FUNCTION_VARIABLES.filter((name) => !name.startsWith('SUPABASE_'))));
});

it('takes every value that is still the example’s for none', () => {
  const directory = mkdtempSync(join(tmpdir(), 'questboard-doctor-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  copyFileSync(join(PROJECT_ROOT, '.env.example'), join(directory, '.env'));
  mkdirSync(join(directory, 'supabase/functions'), { recursive: true });
  copyFileSync(join(PROJECT_ROOT, 'supabase/functions/.env.example'), join(directory, 'supabase/functions/.env'));
  expect(readSettings(directory, {})).toEqual({});
});

it('reads the files below a directory: the environment wins, then .env.local, and an empty value is none', () => {
  const directory = mkdtempSync(join(tmpdir(), 'questboard-doctor-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  mkdirSync(join(directory, 'supabase/functions'), { recursive: true });
  writeFileSync(join(directory, '.env'), 'A=env\nB=env\nC=env\nD=\n');
  writeFileSync(join(directory, '.env.local'), 'B=local\nC=local\n');
  writeFileSync(join(directory, 'supabase/functions/.env'), 'A=functions\nE="Questboard <a@b.example>"\n');
  expect(readSettings(directory, { C: 'process' })).toEqual({
    A: 'env',
    B: 'local',
    C: 'process',
    E: 'Questboard <a@b.example>',
  });
});
