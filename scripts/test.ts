// npm test: runs the check beside the tests, which wait for a sixth of their time. A failed check ends the tests and leaves their temporary
// folders, such as the built package.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { installTestTools } from './setup/tools.ts';

const check = spawn('npm', ['run', 'check'], { stdio: ['ignore', 'pipe', 'pipe'] });
const checkEnd = Promise.all([text(check.stdout), text(check.stderr), once(check, 'close')]);
await installTestTools();
const tests = spawn('vitest', ['run', '--tags-filter', '!long', ...process.argv.slice(2)], { stdio: 'inherit' });
const testsEnd = once(tests, 'close');
const [out, errors, [status]] = await checkEnd;
if (status !== 0) tests.kill();
const [testStatus] = await testsEnd;
console.log(`${out}${errors}\n${status === 0 ? 'The check passed.' : 'The check failed, which has ended the tests.'}`);
process.exitCode = status === 0 && testStatus === 0 ? 0 : 1;
