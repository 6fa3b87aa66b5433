import { join } from 'node:path';
import { ADMIN_CLIENT_ID, SCOPES } from '@telecine/contract/domain/client.ts';
import { mergeClientLimits } from '@telecine/contract/domain/client-limits.ts';
import { Problem } from '@telecine/contract/domain/problem.ts';
import { StoreFull } from '@telecine/contract/domain/store-errors.ts';
import { ENDPOINTS } from '@telecine/contract/wire/endpoints.ts';
import { issuerScopes, type ProtectedResource } from '@telecine/contract/wire/protected-resource.ts';
import { ensureAdmin } from '../auth/ensure-admin.ts';
import type { ExternalIssuer } from '../auth/external-tokens.ts';
import type { IssuerLogin } from '../auth/ports.ts';
import { openTokens, type TokenService } from '../auth/token-service.ts';
import type { Config } from '../config/config.ts';
import type { OAuthSettings } from '../config/oauth.ts';
import { ConfigError } from '../config/read-settings.ts';
import { ADMIN_CLIENT_FILE, readSecretSetting } from '../config/secret-files.ts';
import { issuerLogin } from '../issuer/issuer-login.ts';
import { issuerKeys } from '../issuer/issuer-metadata.ts';
import type { ClientContext } from '../jobs/ports/ffmpeg.ts';
import { everyHour, internalErrors } from './background-tasks.ts';
import { removeAdminClient, writeAdminClient } from './clients.ts';
import type { Log } from './logger.ts';
import type { Audit } from './observability.ts';
import type { Storage } from './storage.ts';

/** Authenticates callers, and finds their media roots and limits. */
export interface Auth {
  readonly tokens: TokenService;
  /** Returns the current media root and limits of a client. A job keeps those that were current at its start. */
  clientContextOf(clientId: string): Promise<ClientContext>;
  /** Creates a code that signs a browser in as the admin. The code works once. */
  readonly makeSignInCode: () => string;
  /** Whether this start created the admin. */
  readonly isFirstStart: boolean;
  /** OAuth metadata of this service for clients of the external issuer. undefined: there is no external issuer. */
  readonly oauth: ProtectedResource | undefined;
}

export function clientContexts({ clientLimits }: Config, { store, rootOf }: Storage): Auth['clientContextOf'] {
  const policy = mergeClientLimits({}, clientLimits);
  return async (clientId) => {
    const client = await store.clients.get(clientId);
    const limits = mergeClientLimits(policy, client?.limits);
    return {
      clientId,
      root: rootOf(client?.root, clientId, limits),
      policy: limits,
      isRevoked: client?.revokedAt !== undefined,
      ...(client && { scopes: client.scopes }),
    };
  };
}

/** Opens the signing keys, and creates the admin client if it is missing. Deletes expired refresh tokens every hour. */
export async function openAuth(
  closers: AsyncDisposableStack,
  config: Config,
  log: Log['log'],
  storage: Storage,
  audit: Audit,
): Promise<Auth> {
  const { store, rootOf, dataSpace, openCounter } = storage;
  const { clients, refreshTokens, sessions, signingKeys } = store;
  const isNewAdmin = await openAdmin(config, log, store, audit);
  const policy = mergeClientLimits({}, config.clientLimits);
  const issuer = externalIssuer(config);
  const tokens = await openTokens({
    clients,
    refreshTokens,
    sessions,
    signingKeys,
    now: Date.now,
    issuer: 'telecine',
    audience: 'telecine',
    rootOf,
    policy,
    failureLimits: {
      perClientAndAddressAMinute: config.serviceLimits['token-failures'],
      perAddressAMinute: config.serviceLimits['token-failures-per-address'],
    },
    openCounter,
    onKeyRotated: (kid) => audit.note({ action: 'key.rotate', outcome: 'done', via: 'service', target: kid }),
    onInternalError: internalErrors(log, { component: 'auth' }),
    ...(issuer && { external: issuer.external }),
    ...(issuer?.login && { login: issuer.login }),
  });
  closers.use(everyHour(() => tokens.sweep(), log));
  const { external } = tokens.sessions;
  /**
   * Wraps an operation that stores a refresh token or a session. Throws `StoreFull` if less than half of the required space is free on the
   * data disk.
   */
  const unlessFull =
    <A, R>(act: (request: A) => Promise<R>) =>
    async (request: A): Promise<R> => {
      if (await dataSpace.isBelowHalf()) throw new StoreFull('new tokens');
      return act(request);
    };
  return {
    tokens: {
      ...tokens,
      // The client credentials grant of OAuth stores nothing, so a full disk does not matter.
      issue: unlessFull(tokens.issue),
      refresh: unlessFull(tokens.refresh),
      sessions: {
        ...tokens.sessions,
        start: unlessFull(tokens.sessions.start),
        ...(external && { external: { ...external, finish: unlessFull(external.finish) } }),
      },
    },
    clientContextOf: clientContexts(config, storage),
    makeSignInCode: () => tokens.makeSignInCode(ADMIN_CLIENT_ID),
    isFirstStart: isNewAdmin,
    oauth: issuer?.oauth,
  };
}

/** Creates the admin client if it is missing. Returns whether it was created. */
async function openAdmin(
  { adminSecretFile, dataDir }: Config,
  log: Log['log'],
  { clients, refreshTokens }: Storage['store'],
  audit: Audit,
): Promise<boolean> {
  const configuredSecret =
    adminSecretFile === undefined ? undefined : readSecretSetting('TELECINE_ADMIN_SECRET_FILE', adminSecretFile);
  const admin = await ensureAdmin({
    clients,
    refreshTokens,
    now: Date.now,
    configuredSecret,
    secretFile: {
      write: async (credentials) => writeAdminClient(dataDir, credentials),
      remove: async () => removeAdminClient(dataDir),
    },
  }).catch((error: unknown) => {
    throw error instanceof Problem ? new ConfigError(error.message, { cause: error }) : error;
  });
  if (admin === 'created' || admin === 'rotated')
    audit.note({
      action: admin === 'created' ? 'client.add' : 'client.rotate',
      outcome: 'done',
      via: 'service',
      target: ADMIN_CLIENT_ID,
    });
  if (admin === 'created' && configuredSecret === undefined)
    log.info({ path: join(dataDir, ADMIN_CLIENT_FILE) }, 'admin client written');
  return admin === 'created';
}

/** The external issuer, the metadata for its clients, and its sign-in for the console. undefined without TELECINE_OAUTH. */
function externalIssuer({ oauth: settings, publicUrl }: Config) {
  if (settings === undefined || publicUrl === undefined) return undefined;
  const { issuer, scopePrefix, jwksUri } = settings;
  const oauth: ProtectedResource = { publicUrl, issuer, scopePrefix };
  const external: ExternalIssuer = {
    issuer,
    // Some OAuth libraries add a slash to a URL without a path, so accept both forms.
    audiences: settings.audience ?? [publicUrl, `${publicUrl}/`, `${publicUrl}/mcp`],
    scopePrefix,
    plainJwt: settings.tokenType === 'jwt',
    keys: issuerKeys({ issuer, ...(jwksUri !== undefined && { keysUrl: jwksUri }) }),
  };
  return { external, oauth, login: consoleLogin(settings, oauth) };
}

/** Signs people in to the console at the issuer. Throws `ConfigError` if the secret file cannot be read. */
function consoleLogin(settings: OAuthSettings, oauth: ProtectedResource): IssuerLogin | undefined {
  const { clientId, clientSecretFile: file, audience, signInScope, signInParameters } = settings;
  if (clientId === undefined) return undefined;
  const { issuer, publicUrl } = oauth;
  const resource = audience?.[0] ?? publicUrl;
  return issuerLogin({
    ...{ issuer, clientId, now: Date.now },
    ...(file !== undefined && { clientSecret: readSecretSetting('TELECINE_OAUTH: clientSecretFile', file) }),
    redirectUri: publicUrl + ENDPOINTS.finishExternalSession.path,
    scope: signInScope ?? ['openid', ...issuerScopes(oauth, SCOPES)].join(' '),
    parameters: new URLSearchParams(signInParameters ?? { resource }),
  });
}
