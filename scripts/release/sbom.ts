import { v5 } from 'uuid';
import type { Notice } from './notices.ts';

/** A component of a CycloneDX document, with the members that `npm sbom` writes and a release keeps. */
export interface Component {
  readonly 'bom-ref': string;
  readonly type: 'application' | 'library';
  readonly name: string;
  readonly version: string;
  readonly description?: string;
  readonly scope?: 'required' | 'optional';
  readonly purl: string;
  readonly licenses?: readonly object[];
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

/** A CycloneDX document, as `npm sbom` writes it. */
export interface Bom {
  readonly $schema: string;
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly serialNumber?: string;
  readonly version: number;
  readonly metadata: {
    readonly timestamp: string;
    readonly lifecycles?: readonly object[];
    readonly tools?: readonly object[];
    readonly component: Component;
  };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

export interface Product {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly licence: string;
  /** SHA-512 of the tarball, in hexadecimal. */
  readonly sha512: string;
  /** The packages that the bundler has put into its files. */
  readonly bundled: readonly Pick<Notice, 'name' | 'version' | 'licence'>[];
  /** The dependencies in its manifest: name → exact version. */
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const refOf = (name: string, version: string): string => `${name}@${version}`;

const purlOf = (name: string, version: string): string => `pkg:npm/${name.replace('@', '%40')}@${version}`;

/** The property by which npm marks a component that is inside another package. */
const BUNDLED = [{ name: 'cdx:npm:package:bundled', value: 'true' }];

/**
 * The SBOM of a product: the packages in its files, and the packages that npm installs with it. npm itself does not know which packages are
 * bundled: they are some of the development dependencies.
 *
 * @param locked What `npm sbom` says of the whole lock file.
 * @param direct The packages that the sources declare, as `name@version`.
 * @param time The time of the commit, so that each build of the commit writes the same document.
 */
export function bomOf(product: Product, locked: Bom, direct: ReadonlySet<string>, time: string): Bom {
  const known = new Map(locked.components.map((component) => [component['bom-ref'], component]));
  const edges = new Map(locked.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  const required = reachable(refsOf(product.dependencies), edges);
  const optional = reachable(refsOf(product.optionalDependencies), edges);
  const licences = new Map(product.bundled.map(({ name, version, licence }) => [refOf(name, version), licence]));
  const refs = [...new Set([...licences.keys(), ...required, ...optional])].toSorted();
  const isIncluded = new Set(refs);
  const own = refOf(product.name, product.version);

  const components = refs.map((ref): Component => {
    const component = known.get(ref);
    if (component === undefined)
      throw new Error(`${ref} is in ${product.name}, but package-lock.json has another version of it. Run "npm ci".`);
    const { type, name, version, purl, hashes } = component;
    const licence = licences.get(ref);
    const licenses = component.licenses ?? (licence === undefined ? undefined : [{ license: { name: licence } }]);
    return {
      ...{ 'bom-ref': ref, type, name, version, purl },
      scope: licence === undefined && !required.has(ref) ? 'optional' : 'required',
      ...(licenses && { licenses }),
      ...(hashes && { hashes }),
      ...(licence !== undefined && { properties: BUNDLED }),
    };
  });
  const dependencies = [
    { ref: own, dependsOn: refs.filter((ref) => direct.has(ref)) },
    ...refs.map((ref) => ({ ref, dependsOn: (edges.get(ref) ?? []).filter((to) => isIncluded.has(to)).toSorted() })),
  ];
  const { $schema, bomFormat, specVersion } = locked;
  const bom = {
    version: 1,
    metadata: {
      timestamp: time,
      lifecycles: [{ phase: 'build' }],
      ...(locked.metadata.tools && { tools: locked.metadata.tools }),
      component: {
        'bom-ref': own,
        type: 'application',
        name: product.name,
        version: product.version,
        description: product.description,
        purl: purlOf(product.name, product.version),
        licenses: [{ license: { id: product.licence } }],
        hashes: [{ alg: 'SHA-512', content: product.sha512 }],
      },
    },
    components,
    dependencies,
  } as const;
  // The same content always gets the same number.
  const serialNumber = `urn:uuid:${v5(JSON.stringify(bom), v5.URL)}`;
  return { $schema, bomFormat, specVersion, serialNumber, ...bom };
}

const refsOf = (dependencies: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(dependencies).map(([name, version]) => refOf(name, version));

/** The refs, and all refs that they depend on, directly or indirectly. */
function reachable(from: readonly string[], edges: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const found = new Set(from);
  // The loop also visits refs that are added to the set meanwhile.
  for (const ref of found) for (const to of edges.get(ref) ?? []) found.add(to);
  return found;
}
