# Telecine as one process: API and workers, SQLite under /data, media under /media.
#
#   docker build -t telecine .
#   docker run --init -p 8080:8080 -v telecine-data:/data -v "$PWD/media:/media" telecine
#
# /media must be writable for user 1000. No security option is needed: where the container may not create namespaces,
# each conversion is confined by Landlock and a filter of system calls. Debian 13 has the util-linux that this needs.

# A release names both bases by digest: see CONTRIBUTING.md.
ARG NODE_IMAGE=node:24-trixie-slim
ARG DEBIAN_IMAGE=debian:trixie-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Before the install, which links each package and installs what its manifest names.
COPY packages packages
COPY scripts/link-node.cjs scripts/
RUN npm ci
COPY tsconfig.json rolldown.config.ts ./
COPY scripts/build.ts scripts/build-console.ts scripts/
COPY console console
# What the program shares with its start.
COPY bin bin
RUN npm run build
COPY scripts/docs/links.ts scripts/docs/
COPY docs docs
RUN npm run docs:build

# Not from the image of Node: the service needs its program, but not npm, yarn and the headers.
FROM ${DEBIAN_IMAGE}
# Debian's ffmpeg depends on drivers that draw on a screen, and they on LLVM. ffmpeg loads them only for that, which no
# request can ask for. They are nearly half of all that it installs.
RUN printf 'path-exclude=%s\n' '/usr/lib/*/libLLVM*' '/usr/lib/*/libgallium*' '/usr/lib/*/libz3.*' '/usr/lib/*/dri/*' \
    > /etc/dpkg/dpkg.cfg.d/no-screen \
 && apt-get update \
 && apt-get install -y --no-install-recommends ffmpeg bubblewrap \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* /etc/dpkg/dpkg.cfg.d/no-screen \
 && useradd --uid 1000 --user-group --create-home node \
 && install -d -o node -g node /data /media
COPY --from=build /usr/local/bin/node /usr/local/bin/node
# Of Node and of what is linked into it, which ask for their texts.
COPY --from=build /usr/local/LICENSE /usr/local/share/doc/node/LICENSE
WORKDIR /app
# The bundle contains all packages.
COPY --from=build /app/dist dist
COPY package.json LICENSE ./
COPY bin bin
# By default Node takes 100 MB more, and malloc 6 MB, and the service is no faster.
ENV NODE_ENV=production \
    MALLOC_ARENA_MAX=2 \
    NODE_OPTIONS=--max-semi-space-size=16 \
    TELECINE_HOST=0.0.0.0 \
    TELECINE_DATA_DIR=/data \
    TELECINE_MEDIA_ROOT=/media
USER node
VOLUME ["/data", "/media"]
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.TELECINE_PORT || process.env.PORT || 8080}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# Without npm in between, so that SIGTERM reaches the service and running conversions can end.
CMD ["node", "bin/telecine.js", "serve"]
