import { isMembers } from '@telecine/contract/domain/structured-values.ts';
import { parseJson, readPath, readSecureAddress, type SettingReader } from './setting.ts';

/** Parameters of an authorization request that only the service may set. */
const OWN_PARAMETERS = [
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce'],
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri'],
];

/** A prefix of scopes, in the characters that RFC 6749 (3.3) allows in scopes. */
const SCOPE_PREFIX = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Scopes separated by spaces. `openid` must be among them: otherwise, the issuer does not say who signed in. */
const SIGN_IN_SCOPE = /^(?=(?:.* )?openid(?: |$))[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

type Reader<T> = (value: unknown) => T;

const readText: Reader<string> = (value) => {
  if (typeof value !== 'string') throw new Error('must be a text');
  if (value === '') throw new Error('must not be empty');
  return value;
};

const textBy =
  <T>(read: SettingReader<T>): Reader<T> =>
  (value) =>
    read(readText(value));

/** `message`: what the text must be. */
const matching = (pattern: RegExp, message: string): Reader<string> =>
  textBy((text) => {
    if (!pattern.test(text)) throw new Error(message);
    return text;
  });

const readTexts: Reader<readonly string[]> = (value) => {
  if (!Array.isArray(value)) throw new Error('must be a list of texts');
  if (value.length === 0) throw new Error('must not be empty');
  return value.map(readText);
};

const readParameters: Reader<Readonly<Record<string, string>>> = (value) => {
  if (!isMembers(value) || Object.keys(value).some((name) => OWN_PARAMETERS.includes(name)))
    throw new Error('must not contain a parameter that the service chooses: client_id, redirect_uri, scope, state, …');
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, readText(one)]));
};

/** The members of TELECINE_OAUTH. docs/operate/sign-in.md says what they mean. */
const MEMBERS = {
  issuer: textBy(readSecureAddress),
  audience: readTexts,
  scopePrefix: matching(SCOPE_PREFIX, 'must be visible ASCII without spaces, quotes or \\'),
  tokenType: matching(/^(?:at\+)?jwt$/, 'must be "at+jwt" or "jwt"'),
  jwksUri: textBy(readSecureAddress),
  clientId: readText,
  clientSecretFile: textBy(readPath),
  signInScope: matching(SIGN_IN_SCOPE, 'must be scopes separated by single spaces, with openid among them'),
  signInParameters: readParameters,
} as const;

type Members = { readonly [K in keyof typeof MEMBERS]: ReturnType<(typeof MEMBERS)[K]> };

/** Settings for the tokens of an external issuer, and its sign-in to the console. */
export type OAuthSettings = Partial<Members> & Pick<Members, 'issuer' | 'scopePrefix' | 'tokenType'>;

/** Reads the JSON object. Client commands load this file too, so it uses no library. */
export const readOAuth: SettingReader<OAuthSettings> = (text) => {
  const sent = parseJson(text);
  if (!isMembers(sent)) throw new Error('must be a JSON object with the member "issuer"');
  const unknown = Object.keys(sent).filter((name) => !Object.hasOwn(MEMBERS, name));
  const errors =
    unknown.length === 0
      ? []
      : [`has the unknown field "${unknown.join('", "')}"; allowed: ${Object.keys(MEMBERS).join(', ')}`];
  const read: Record<string, unknown> = { scopePrefix: '', tokenType: 'at+jwt' };
  for (const [name, reader] of Object.entries(MEMBERS)) {
    if (sent[name] === undefined && name !== 'issuer') continue;
    try {
      read[name] = reader(sent[name]);
    } catch (error) {
      errors.push(`"${name}" ${error instanceof Error ? error.message : ''}`);
    }
  }
  if (errors.length > 0) throw new Error(errors.join('; '));
  return read as OAuthSettings;
};
