// Converts a local file to MP4: node convert.ts IN OUT
// Environment: TELECINE_URL, TELECINE_CLIENT_ID, TELECINE_CLIENT_SECRET.
import { ClientError } from '@telecine/client';
import { createNodeClient } from '@telecine/client/node';

const [input = '', output = ''] = process.argv.slice(2);
const {
  TELECINE_URL: url = 'http://127.0.0.1:8080',
  TELECINE_CLIENT_ID: clientId = '',
  TELECINE_CLIENT_SECRET: clientSecret = '',
} = process.env;
const telecine = createNodeClient(url, { clientId, clientSecret });
const folder = `examples/${crypto.randomUUID()}`;

try {
  await telecine.uploadFile(input, `${folder}/in`, {
    onBytes: (done, total) => console.error(`uploaded ${done} of ${total} bytes`),
  });
  const { jobId, warnings = [] } = await telecine.submit({
    input: `${folder}/in`,
    output: `${folder}/out.mp4`,
    parameters: { 'c:v': 'libx264', preset: 'veryfast', 'c:a': 'aac' },
  });
  for (const { message } of warnings) console.error(`warning: ${message}`);

  for await (const event of telecine.events({ jobId }))
    if (event.type === 'progress') console.error(`${event.data.progress} %, ${event.data.etaSeconds ?? '?'} s left`);

  const job = await telecine.get(jobId);
  if (job.status === 'COMPLETED') await telecine.saveOutput(jobId, output);
  else {
    console.error(job.error?.message ?? job.message, job.error?.fix ?? '');
    process.exitCode = 1;
  }
} catch (error) {
  // Another error is one of a local file, or of this program.
  if (!(error instanceof ClientError)) throw error;
  console.error(`${error.code}: ${error.message}`);
  for (const { field, message, fix = '' } of error.errors) console.error(`  ${field}: ${message} ${fix}`);
  process.exitCode = 1;
}
