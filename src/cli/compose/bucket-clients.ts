import { fromIni } from '@aws-sdk/credential-provider-ini';
import { type BucketSetting, bucketAddress } from '../../config/storage-buckets.ts';
import type { NamedBucket } from '../../media/s3/bucket.ts';
import { s3Client } from '../../media/s3/client.ts';

/**
 * Creates a client for each bucket, with its own credentials. A profile that is missing is an error of the first request,
 * never a reason to use other credentials.
 */
export const openNamedBuckets = (buckets: readonly BucketSetting[]): readonly NamedBucket[] =>
  buckets.map((setting) => {
    const { bucket, prefix, access, endpoint, region, pathStyle, profile, credentialsFile } = setting;
    const hasProfile = profile !== undefined || credentialsFile !== undefined;
    return {
      access,
      location: { bucket, prefix, address: bucketAddress(setting) },
      client: s3Client({
        ...(endpoint !== undefined && { endpoint }),
        region,
        pathStyle,
        ...(hasProfile && {
          credentials: fromIni({
            profile: profile ?? 'default',
            ...(credentialsFile !== undefined && { filepath: credentialsFile }),
          }),
        }),
      }),
    };
  });
