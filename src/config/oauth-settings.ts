import { readChoice, readList, readSecureAddress, type Setting, type SettingReader } from './setting.ts';

const setting = <T>(s: Setting<T>): Setting<T> => s;

/** Reads a prefix of scopes. It allows the characters that RFC 6749 (3.3) allows in a scope. */
const scopePrefix: SettingReader<string> = (text) => {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text)) throw new Error('must be visible ASCII without spaces, quotes or \\');
  return text;
};

/** Settings for tokens of an external OAuth issuer. Without `TELECINE_OAUTH_ISSUER` they have no effect. */
export const OAUTH_SETTINGS = {
  oauthIssuer: setting({
    names: ['TELECINE_OAUTH_ISSUER'],
    about:
      'OAuth or OpenID Connect issuer whose access tokens are accepted too, exactly as in their `iss` claim. Each subject needs a client (`telecine client add NAME --external SUBJECT`). Requires `TELECINE_PUBLIC_URL`. Without it there is no OAuth discovery.',
    form: 'an https address; http for loopback only',
    fallback: undefined,
    read: readSecureAddress,
  }),
  oauthAudiences: setting({
    names: ['TELECINE_OAUTH_AUDIENCE'],
    about:
      'Accepted values of the `aud` claim; a token needs one of them. The default is `TELECINE_PUBLIC_URL`, with or without a trailing slash, and `TELECINE_PUBLIC_URL/mcp`.',
    form: 'a list, separated by commas',
    fallback: undefined,
    read: readList,
  }),
  oauthScopePrefix: setting({
    names: ['TELECINE_OAUTH_SCOPE_PREFIX'],
    about:
      "Prefix of this service's scopes in the tokens of the issuer. With `telecine:`, the scope `telecine:jobs:read` means `jobs:read`; scopes without the prefix are ignored.",
    form: 'visible ASCII',
    fallback: undefined,
    read: scopePrefix,
  }),
  oauthTokenType: setting({
    names: ['TELECINE_OAUTH_TOKEN_TYPE'],
    about:
      'Required `typ` header of its tokens. `jwt` also accepts `JWT` and a missing `typ`, for issuers that do not follow RFC 9068; then only the audience tells an access token from an ID token.',
    form: 'at+jwt or jwt',
    fallback: 'at+jwt',
    read: readChoice('at+jwt', 'jwt'),
  }),
  oauthJwksUri: setting({
    names: ['TELECINE_OAUTH_JWKS_URI'],
    about:
      'Address of its signing keys. Needed for an issuer without metadata, or with keys on another origin. The default comes from its metadata and must have the origin of the issuer.',
    form: 'an https address; http for loopback only',
    fallback: undefined,
    read: readSecureAddress,
  }),
} as const;
