/** A command that submits a first job with the token in the variable TOKEN. */
export const firstJobCommand = (url: string): string =>
  [
    `curl -sS --fail-with-body ${url}/api/conversion -H "authorization: Bearer $TOKEN" \\`,
    `  -H 'content-type: application/json' \\`,
    `  -d '{ "input": "in.mp4", "output": "small/out.mp4", "parameters": { "c:v": "libx264", "s": "426x240" } }'`,
  ].join('\n');
