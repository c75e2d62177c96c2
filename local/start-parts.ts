import { CLERK_WEBHOOK_SECRET, STRIPE_WEBHOOK_SECRET } from './constants.ts';
import { databaseUrl, withClient } from './database/connection.ts';
import { prepareDataDirectory } from './database/data-directory.ts';
import { configureDeployment } from './database/deployment.ts';
import { applyMigrations } from './database/migrations.ts';
import { startDatabase } from './database/server.ts';
import { createDemoAccounts } from './demo/accounts.ts';
import { createDemoProject, DEMO_PROJECT_PATH, linkDemoProject } from './demo/project.ts';
import { sendClerkEvent } from './emulators/clerk-webhooks.ts';
import { sendMail } from './emulators/mail.ts';
import { startEmulators } from './emulators/start-emulators.ts';
import type { StackEnv } from './env.ts';
import { startFunctions } from './functions/start-functions.ts';
import { startTicker } from './functions/ticker.ts';
import { createGatewayKeys, type GatewayKeys } from './gateway/keys.ts';
import { serveGateway } from './gateway/serve-gateway.ts';
import { createIdentity, defaultAssetsDir, prepareClerkAssets } from './identity/index.ts';
import { createIdentityServer } from './identity-server.ts';
import { listen } from './process/listen.ts';
import type { Ports } from './process/ports.ts';
import { type StartedParts, settleAll } from './process/started-parts.ts';
import { startRest } from './rest/postgrest.ts';
import { functionsEnv, ownOrigins } from './stack-env.ts';
import type { StackOptions } from './stack-options.ts';

interface Start {
  ports: Ports;
  env: StackEnv;
  started: StartedParts;
}

/** Starts the parts, concurrently where they do not depend on each other, and registers each for stopping. */
export async function startParts(options: StackOptions, start: Start): Promise<void> {
  const { ports, env, started } = start;
  const { onFailure } = options;

  const startApp = async () => {
    if (!options.app) return;
    const onSpawn = started.record('the app server');
    started.addChild(await options.app({ env, port: ports.app, onSpawn, onFailure }));
  };
  const identity = startIdentity(options, start);
  const functions = startEdgeFunctions(options, start);
  await settleAll([identity, functions, startPostgres(options, start), startApp()]);
  const keys = await identity;

  const authenticatorUrl = databaseUrl('authenticator', ports.database);
  started.addChild(
    await startRest({
      databaseUrl: authenticatorUrl,
      ports,
      jwksPath: keys.jwksPath,
      onSpawn: started.record('PostgREST'),
      onFailure,
    }),
  );
  started.add(
    await serveGateway({
      port: ports.gateway,
      databaseUrl: authenticatorUrl,
      restUrl: `http://127.0.0.1:${ports.rest}`,
      functionsUrl: await functions,
      directory: options.directory,
      keys,
      origins: ownOrigins(env),
      sites: { [DEMO_PROJECT_PATH]: createDemoProject(env) },
    }),
  );
  if (options.deliversEvents ?? true) {
    const worker = { functionsUrl: await functions, secret: env.CRON_SECRET };
    const tickers = [
      startTicker({ ...worker, functionName: 'deliver-events' }),
      startTicker({ ...worker, functionName: 'import-logos', tickMs: 10_000 }),
      startTicker({ ...worker, functionName: 'remove-orphans', tickMs: 3_600_000 }),
      startTicker({ ...worker, functionName: 'self-check', tickMs: 3_600_000 }),
    ];
    for (const ticker of tickers) started.add(() => ticker.stop());
  }
}

async function startPostgres(options: StackOptions, { ports, env, started }: Start): Promise<void> {
  const onProgress = options.onProgress ?? (() => undefined);
  const data = await prepareDataDirectory({
    directory: options.directory,
    isSeeded: options.isSeeded,
    onProgress,
    ...(options.isBare ? { migrations: [] } : {}),
  });
  onProgress('Starting the database …');
  started.addDatabase(
    await startDatabase({
      directory: data.path,
      port: ports.database,
      isDurable: options.isDurable,
      onSpawn: started.record('PostgreSQL'),
      onFailure: options.onFailure,
    }),
  );
  if (options.isBare) return;
  await withClient(databaseUrl('postgres', ports.database), async (client) => {
    if (data.pending.length > 0) {
      onProgress(`Applying ${data.pending.length} new migrations …`);
      await applyMigrations(client, data.pending);
      data.markMigrated();
    }
    await configureDeployment(client);
    await linkDemoProject(client, env);
  });
}

/** Mail comes before identity, which sends its codes there. */
async function startIdentity(options: StackOptions, { ports, env, started }: Start): Promise<GatewayKeys> {
  const emulators = await startEmulators({
    stripePort: ports.stripe,
    resendPort: ports.mail,
    webhookUrl: `${env.SUPABASE_URL}/functions/v1/stripe-webhook`,
    webhookSecret: STRIPE_WEBHOOK_SECRET,
  });
  started.add(() => emulators.close());

  if (options.app) await prepareClerkAssets(defaultAssetsDir, { onProgress: options.onProgress });
  const identity = await createIdentity({
    dataDir: env.IDENTITY_DIRECTORY,
    issuer: env.IDENTITY_ISSUER,
    sendMail: ({ to, subject, text, html }) => {
      options.onMail?.(`Mail to ${to}: ${subject}`);
      return sendMail(env.MAIL_URL, { to, subject, text, html });
    },
    onUserEvent: (event) => {
      const url = `${env.SUPABASE_URL}/functions/v1/clerk-webhook`;
      void sendClerkEvent(event, { url, secret: CLERK_WEBHOOK_SECRET });
    },
  });
  started.add(() => identity.close());
  if (options.isSeeded) await createDemoAccounts(identity);
  started.add((await listen(createIdentityServer(identity, env.SUPABASE_SECRET_KEY), ports.identity)).close);
  return createGatewayKeys(options.directory, {
    identityKeys: identity.jwks(),
    secretKey: env.SUPABASE_SECRET_KEY,
  });
}

async function startEdgeFunctions(options: StackOptions, { env, started }: Start): Promise<string> {
  const functions = await startFunctions({
    env: functionsEnv(env),
    onExit: (name, lastLines) => options.onFailure({ name: `the edge function ${name}`, lastLines }),
  });
  started.add(() => functions.close());
  return functions.url;
}
