import { z } from 'zod';
import { issuesText, nonEmpty, parseJson, readBy } from './json-setting.ts';
import { readPath, readSecureAddress, type SettingReader } from './setting.ts';

/** Parameters of an authorization request that only the service may set. */
const OWN_PARAMETERS = [
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce'],
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri'],
];

/** A prefix of scopes, in the characters that RFC 6749 (3.3) allows in scopes. */
const SCOPE_PREFIX = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Scopes separated by spaces. `openid` must be among them: otherwise, the issuer does not say who signed in. */
const SIGN_IN_SCOPE = /^(?=(?:.* )?openid(?: |$))[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** The members of TELECINE_OAUTH. docs/operate/sign-in.md says what they mean. */
const OAUTH = z.strictObject(
  {
    issuer: readBy(readSecureAddress),
    audience: z.array(nonEmpty, 'must be a list of texts').min(1, 'must not be empty').optional(),
    scopePrefix: z.string().regex(SCOPE_PREFIX, 'must be visible ASCII without spaces, quotes or \\').default(''),
    tokenType: z.enum(['at+jwt', 'jwt'], 'must be "at+jwt" or "jwt"').default('at+jwt'),
    jwksUri: readBy(readSecureAddress).optional(),
    clientId: nonEmpty.optional(),
    clientSecretFile: readBy(readPath).optional(),
    signInScope: z
      .string()
      .regex(SIGN_IN_SCOPE, 'must be scopes separated by single spaces, with openid among them')
      .optional(),
    signInParameters: z
      .record(
        z.string().refine((name) => !OWN_PARAMETERS.includes(name)),
        z.string('must be a text'),
        'must not contain a parameter that the service chooses: client_id, redirect_uri, scope, state, …',
      )
      .optional(),
  },
  'must be a JSON object with the member "issuer"',
);

/** Settings for the tokens of an external issuer, and its sign-in to the console. */
export type OAuthSettings = z.output<typeof OAUTH>;

export const readOAuth: SettingReader<OAuthSettings> = (text) => {
  const parsed = OAUTH.safeParse(parseJson(text));
  if (!parsed.success) throw new Error(issuesText(parsed.error, OAUTH));
  return parsed.data;
};
