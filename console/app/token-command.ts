/**
 * A command that gets a token. curl reads TELECINE_CLIENT_SECRET from its standard input, because `ps` shows arguments to all users. Without the
 * variable, curl asks for the secret. sed escapes the secret for the quotes of curl's configuration. If the service rejects the secret, curl prints the reply and fails.
 */
export const tokenCommand = (url: string, clientId: string): string =>
  [
    `printf '%s\\n' "${clientId}\${TELECINE_CLIENT_SECRET:+:$TELECINE_CLIENT_SECRET}" |`,
    String.raw`  sed 's/["\\]/\\&/g; s/.*/user = "&"/' |`,
    `  curl -sS --fail-with-body -K - -d grant_type=client_credentials ${url}/oauth/token`,
  ].join('\n');
