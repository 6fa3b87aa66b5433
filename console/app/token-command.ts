/** A command that gets a token. curl asks for the secret, so that the history of the shell does not have it, or reads the variable. */
export const tokenCommand = (url: string, clientId: string): string =>
  [
    `curl -sS -u "${clientId}\${TELECINE_CLIENT_SECRET:+:$TELECINE_CLIENT_SECRET}" \\`,
    `  -d grant_type=client_credentials ${url}/oauth/token`,
  ].join('\n');
