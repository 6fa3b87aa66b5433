// npm run prepare, which `npm ci` runs at its end: links the Node that npm installed into node_modules/.bin, where npm's scripts and
// `npm exec` find it before that of the system. npm 9 does not: it skips a name that two packages have. Any Node can run this file.
'use strict';
const { execFileSync } = require('node:child_process');
const { existsSync, mkdirSync, symlinkSync } = require('node:fs');
const { join } = require('node:path');

const OLDEST = 24;
const name = `node-${process.platform}-${process.arch}`;
const modules = join(__dirname, '../node_modules');
const link = join(modules, '.bin/node');

if (!existsSync(link) && runs(join(modules, name, 'bin/node'))) {
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(`../${name}/bin/node`, link);
}
if (!runs(link) && Number(process.versions.node.split('.')[0]) < OLDEST) {
  console.error(
    `Telecine needs Node ${OLDEST} or newer, and npm has none for this system: install it instead of ${process.version}, then run "npm ci" again.`,
  );
  process.exit(1);
}

/** Whether it is installed, and this system can run it: one with another C library cannot. */
function runs(node) {
  try {
    execFileSync(node, ['--version'], { stdio: 'ignore' });
    return true;
  } catch (_error) {
    return false;
  }
}
