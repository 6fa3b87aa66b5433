import { defineConfig } from 'rolldown';
import { type LicenseInfo, licensePlugin } from 'rolldown-license-plugin';

/** The program with every package that it uses, as `dist`. What it imports lazily stays a file of its own. */
export default defineConfig({
  cwd: import.meta.dirname,
  input: {
    main: 'src/main.ts',
    // Started by name, by files that lie beside them.
    'sweep-scratch': 'src/cli/sweep-scratch.ts',
    write: 'src/cli/entries/write.ts',
  },
  platform: 'node',
  // The other form of jsonc-parser calls a `require` that it was handed, which nothing can follow.
  resolve: { mainFields: ['module', 'main'] },
  // Such as of an import that cannot be found: it would fail only where it is run.
  onwarn: ({ message }) => {
    throw new Error(message);
  },
  plugins: [
    licensePlugin({
      allow: ({ license }) => license !== '',
      failOnUnlicensed: true,
      done: (packages, context) =>
        void context.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES', source: notices(packages) }),
    }),
  ],
  // Not minified: stacks must be readable.
  output: { dir: 'dist', cleanDir: true },
});

function notices(packages: readonly LicenseInfo[]): string {
  return packages
    .map(({ name, version, license, licenseText }) => `${name} ${version} (${license})\n\n${licenseText.trim()}\n`)
    .join(`\n${'-'.repeat(80)}\n\n`);
}
