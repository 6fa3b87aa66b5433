/** The version of tus (resumable uploads over HTTP, https://tus.io) that the service supports. */
export const TUS_VERSION = '1.0.0';

/** The extensions of tus that the service supports. @tus/server does not support checksums. */
export const TUS_EXTENSIONS = ['creation', 'creation-with-upload', 'termination', 'expiration'] as const;

/** Header fields that scripts of web pages must be able to read in replies about uploads. */
export const TUS_REPLY_HEADERS = [
  'Location',
  'Tus-Extension',
  'Tus-Max-Size',
  'Tus-Resumable',
  'Tus-Version',
  'Upload-Expires',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
] as const;

/** The content type of bytes that are appended to an upload. */
export const TUS_BODY = 'application/offset+octet-stream';
