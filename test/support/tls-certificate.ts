import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testFolder } from './folders.ts';

/** A certificate that signs itself. `certFile` has the same text as `cert`. */
export interface TlsCertificate {
  readonly key: string;
  readonly cert: string;
  readonly certFile: string;
}

/** Makes a certificate for host names and addresses, such as `DNS:localhost` and `IP:127.0.0.1`, with the openssl command. */
export async function tlsCertificate(...names: readonly string[]): Promise<TlsCertificate> {
  const folder = await testFolder('tls');
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  await promisify(execFile)('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2'],
    ...['-subj', '/CN=telecine test', '-addext', `subjectAltName=${names.join(',')}`],
    ...['-keyout', keyFile, '-out', certFile],
  ]);
  return { key: await readFile(keyFile, 'utf8'), cert: await readFile(certFile, 'utf8'), certFile };
}
