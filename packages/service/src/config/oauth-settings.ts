import { choice, FILE, optional, readList, SECURE_ADDRESS, type SettingReader, setting, text } from './setting.ts';

/** Reads a prefix of scopes, in the characters that RFC 6749 (3.3) allows in scopes. */
const scopePrefix: SettingReader<string> = (text) => {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+$/.test(text)) throw new Error('must be visible ASCII without spaces, quotes or \\');
  return text;
};

/** Reads scopes separated by spaces. `openid` must be among them: otherwise, the issuer does not say who signed in. */
const signInScope: SettingReader<string> = (text) => {
  if (!/^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/.test(text) || !text.split(' ').includes('openid'))
    throw new Error('must be scopes separated by single spaces, with openid among them');
  return text;
};

/** Parameters of an authorization request that only the service may set. */
const OWN_PARAMETERS = [
  ...['client_id', 'redirect_uri', 'response_type', 'response_mode', 'scope', 'state', 'nonce'],
  ...['code_challenge', 'code_challenge_method', 'request', 'request_uri'],
];

const signInParameters: SettingReader<string> = (text) => {
  const names = [...new URLSearchParams(text).keys()];
  const own = names.find((name) => OWN_PARAMETERS.includes(name));
  if (own !== undefined) throw new Error(`must not contain ${own}, which the service chooses`);
  if (new Set(names).size < names.length) throw new Error('must not contain a parameter twice');
  return text;
};

/** Settings for tokens of an external OAuth issuer. Without `TELECINE_OAUTH_ISSUER`, they have no effect. */
export const OAUTH_SETTINGS = {
  oauthIssuer: optional(
    'TELECINE_OAUTH_ISSUER',
    SECURE_ADDRESS,
    'OAuth or OpenID Connect issuer whose access tokens are accepted too, exactly as in their `iss` claim. Each subject needs a client (`telecine client add NAME --external SUBJECT`). Requires `TELECINE_PUBLIC_URL`. Without it there is no OAuth discovery.',
  ),
  oauthAudiences: optional(
    'TELECINE_OAUTH_AUDIENCE',
    { form: 'a list, separated by commas', read: readList },
    'Accepted values of the `aud` claim; a token needs one of them. The default is `TELECINE_PUBLIC_URL`, with or without a trailing slash, and `TELECINE_PUBLIC_URL/mcp`.',
  ),
  oauthScopePrefix: optional(
    'TELECINE_OAUTH_SCOPE_PREFIX',
    { form: 'visible ASCII', read: scopePrefix },
    "Prefix of this service's scopes in the tokens of the issuer. With `telecine:`, the scope `telecine:jobs:read` means `jobs:read`; scopes without the prefix are ignored.",
  ),
  oauthTokenType: setting(
    'TELECINE_OAUTH_TOKEN_TYPE',
    choice('at+jwt', 'jwt'),
    'at+jwt',
    'Required `typ` header of its tokens. `jwt` also accepts `JWT` and a missing `typ`, for issuers that do not follow RFC 9068; then only the audience tells an access token from an ID token.',
  ),
  oauthJwksUri: optional(
    'TELECINE_OAUTH_JWKS_URI',
    SECURE_ADDRESS,
    'Address of its signing keys. Needed for an issuer without metadata, or with keys on another origin. The default comes from its metadata and must have the origin of the issuer.',
  ),
  oauthClientId: optional(
    'TELECINE_OAUTH_CLIENT_ID',
    text('a text'),
    'Id of the console at the issuer. With it, people can sign in to the console by the issuer (authorization code with PKCE). Allow the redirect address `TELECINE_PUBLIC_URL/api/session/external/callback` there. Each subject needs a client, as for tokens.',
  ),
  oauthClientSecretFile: optional(
    'TELECINE_OAUTH_CLIENT_SECRET_FILE',
    FILE,
    'File with the secret of that id. Without it, the console is a public client of the issuer.',
  ),
  oauthSignInScope: optional(
    'TELECINE_OAUTH_SIGN_IN_SCOPE',
    { form: 'scopes separated by spaces, with openid', read: signInScope },
    'Scopes that the console requests from the issuer. A session gets the scopes that the issuer grants and the client has. The default is `openid` and all scopes of this service, with TELECINE_OAUTH_SCOPE_PREFIX.',
  ),
  oauthSignInParameters: optional(
    'TELECINE_OAUTH_SIGN_IN_PARAMETERS',
    { form: 'a query such as audience=https://media.example.org', read: signInParameters },
    'Further parameters with which the console sends people to the issuer, so that the access token is for this service. The default is `resource=` with the first accepted audience (RFC 8707). Auth0 needs `audience=…`, and Entra ID none: `prompt=select_account`.',
  ),
};
