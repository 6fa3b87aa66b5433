// Prints the packages that a lock file lists in optionalDependencies but does not contain.
import fs from 'node:fs';

const lock = JSON.parse(fs.readFileSync(process.argv[2]));
const names = new Set(Object.keys(lock.packages).map((k) => k.replace(/^.*node_modules\//, '')));
for (const [k, p] of Object.entries(lock.packages))
  for (const d of Object.keys(p.optionalDependencies ?? {}))
    if (!names.has(d)) console.log(k, 'lacks', d, p.optionalDependencies[d]);
for (const [k, p] of Object.entries(lock.packages))
  if (p.hasInstallScript) console.log('install script:', k, p.version, p.optional ? 'optional' : '');
