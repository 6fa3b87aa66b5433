#!/usr/bin/env node
// Started by a Node older than 24, it hands over to the Node 24 that `npm ci` brought; else it runs the program.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const major = Number(process.versions.node.split('.')[0]);
if (major >= 24) {
  module.enableCompileCache?.();
  const source = new URL('../src/main.ts', import.meta.url);
  await import(existsSync(source) ? source.href : new URL('../dist/main.js', import.meta.url).href);
} else {
  const node = pinnedNode();
  if (!node) {
    console.error(
      `telecine needs Node 24 or newer; this is ${process.version}. Run "npm ci" here, or install Node 24.`,
    );
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    if (signal) {
      process.removeAllListeners(signal);
      process.kill(process.pid, signal);
    } else process.exit(code ?? 1);
  });
}

function pinnedNode() {
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/package.json`);
    return join(dirname(manifest), 'bin/node');
  } catch {
    return undefined;
  }
}
