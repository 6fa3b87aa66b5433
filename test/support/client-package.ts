import { buildClient } from '../../scripts/build-client.ts';
import { type InstalledPackage, installedPackage } from './installed-package.ts';

/** Installs the package `@telecine/client` as it is published at the first call. */
export const clientPackage = (): (() => Promise<InstalledPackage>) => installedPackage('client', buildClient);
