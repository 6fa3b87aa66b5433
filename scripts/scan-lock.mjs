// Prints what a lock file lacks or has that breaks `npm ci` somewhere: packages that optionalDependencies list and it does not contain, install
// scripts, and optional packages that npm leaves out when it runs on Node 18, although the scripts run on Node 24.
import fs from 'node:fs';

const lock = JSON.parse(fs.readFileSync(process.argv[2]));
const names = new Set(Object.keys(lock.packages).map((k) => k.replace(/^.*node_modules\//, '')));
for (const [k, p] of Object.entries(lock.packages))
  for (const d of Object.keys(p.optionalDependencies ?? {}))
    if (!names.has(d)) console.log(k, 'lacks', d, p.optionalDependencies[d]);
for (const [k, p] of Object.entries(lock.packages))
  if (p.hasInstallScript) console.log('install script:', k, p.version, p.optional ? 'optional' : '');
for (const [k, { optional, engines }] of Object.entries(lock.packages)) {
  const majors = Array.from((engines?.node ?? '').matchAll(/(?:\^|>=) *(\d+)/g), ([, major]) => Number(major));
  if (optional && majors.length > 0 && !majors.some((major) => major <= 18))
    console.log('remove "engines":', k, engines);
}
