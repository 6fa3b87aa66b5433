import type { Config } from '../../config/config.ts';

/**
 * The origins to which downloads are redirected, so that pages may show files from there. Without path style, the bucket is in
 * the host name, except where the name of the bucket or an IP address forbids that.
 */
export function directOrigins({
  storage,
  storagePublicEndpoint: endpoint,
  storageEndpoint,
  storagePathStyle: pathStyle = storageEndpoint !== undefined,
}: Pick<Config, 'storage' | 'storagePublicEndpoint' | 'storageEndpoint' | 'storagePathStyle'>): readonly string[] {
  if (storage === undefined || endpoint === undefined) return [];
  const { origin, protocol, host } = new URL(endpoint);
  return pathStyle ? [origin] : [origin, `${protocol}//${storage.bucket}.${host}`];
}
