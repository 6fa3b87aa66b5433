#!/usr/bin/env node
// Runs the program. An older Node, or one with an older SQLite, starts the Node 24 from `npm ci` instead and hands over to it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isBundleCurrent } from './current-bundle.js';
import { userCacheFolder } from './user-cache.js';

const OLDEST = 24;
/**
 * An older SQLite may damage the write-ahead log if one connection copies the log while another begins it anew. Before 3.51.0, it also
 * runs a checkpoint where `log-checkpoints.ts` only asks how full the log is. The first versions of Node 24 contain an older SQLite.
 */
const OLDEST_SQLITE = '3.51.3';
/** Set in the child process. The value is the id of the older Node process. */
const HANDED_OVER = 'TELECINE_HANDED_OVER_BY';

if (Number(process.versions.node.split('.')[0]) >= OLDEST && isAtLeast(process.versions.sqlite ?? '0', OLDEST_SQLITE))
  await run();
else handOver();

async function run() {
  // If a supervisor kills the parent, this process must end too.
  if (process.env[HANDED_OVER] === String(process.ppid) && process.channel) {
    process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));
    process.channel.unref();
  }
  delete process.env[HANDED_OVER];
  enableCompileCache();
  const source = new URL('../packages/cli/src/main.ts', import.meta.url);
  const isSource = existsSync(source) && !isBundleCurrent(join(import.meta.dirname, '..'));
  try {
    await import(isSource ? source.href : new URL('../dist/main.js', import.meta.url).href);
  } catch (error) {
    if (!isSource || error.code !== 'ERR_MODULE_NOT_FOUND' || !error.message.startsWith('Cannot find package'))
      throw error;
    console.error(
      `${error.message}\n` +
        'The sources of telecine need packages that are missing. Run "npm ci --include=dev", or install a built package.',
    );
    process.exit(1);
  }
}

/** Without a folder, Node would use one in /tmp, which any user can create first to run code as this user. */
function enableCompileCache() {
  // Node has already enabled the cache that NODE_COMPILE_CACHE names.
  if (process.env.NODE_COMPILE_CACHE) return;
  const folder = userCacheFolder();
  if (folder !== undefined) module.enableCompileCache?.(folder);
}

function handOver() {
  const node = pinnedNode();
  if (node === undefined) {
    console.error(
      `telecine needs Node ${OLDEST} or newer with SQLite ${OLDEST_SQLITE} or newer; this is ${process.version} with ` +
        `${process.versions.sqlite ?? 'no SQLite'}. Run "npm ci" here, or install the newest Node ${OLDEST}.`,
    );
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    // Start it in its own process group: Ctrl-C then reaches only this process, which forwards it once.
    detached: true,
    env: { ...process.env, [HANDED_OVER]: String(process.pid) },
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exit(code ?? 1);
  });
}

/** Compares versions such as `3.51.3`. Not by `localeCompare`, which loads the rules of a language: a tenth of the time of a command. */
function isAtLeast(version, oldest) {
  const [numbers, oldestNumbers] = [version, oldest].map((text) => text.split('.').map(Number));
  const at = oldestNumbers.findIndex((number, index) => number !== (numbers[index] ?? 0));
  return at === -1 || (numbers[at] ?? 0) > oldestNumbers[at];
}

function pinnedNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/package.json`);
    return join(dirname(manifest), 'bin/node');
  } catch {
    return undefined;
  }
}
