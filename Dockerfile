# syntax=docker/dockerfile:1
# docker build --build-arg CASHIER_COMMIT=$(git rev-parse HEAD) -t cashier .   ->   docker run --read-only --env-file .env -p 3000:3000 -v cashier:/data cashier
FROM --platform=$BUILDPLATFORM node:24-bookworm AS build
WORKDIR /src
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# Shown in the log, in metrics and at /api/health/ready. The build context has no .git to read it from.
ARG CASHIER_COMMIT
RUN npm run build
RUN npm run bundle -- /cashier
RUN mkdir /data

# Node for the image's platform, which may differ from the one that builds.
FROM node:24-bookworm-slim AS node

# glibc and libstdc++ without a shell or a package manager.
FROM gcr.io/distroless/cc-debian12:nonroot
ARG CASHIER_COMMIT
LABEL org.opencontainers.image.version=1.0.0-dev
LABEL org.opencontainers.image.revision=$CASHIER_COMMIT
COPY --from=build /cashier /cashier
COPY --from=node /usr/local/bin/node /cashier/node
COPY --from=build --chown=65532:65532 /data /data
USER 65532:65532
WORKDIR /data
VOLUME /data
ENV DATABASE_URL=file:/data/cashier.db
# One arena of glibc's allocator: each thread would keep megabytes in its own.
ENV MALLOC_ARENA_MAX=1
EXPOSE 3000
HEALTHCHECK --interval=5s --timeout=3s --start-period=30s CMD ["/cashier/node", "/cashier/scripts/health.ts"]
# Node itself is process 1, so that SIGTERM reaches it: `docker stop --time 35`.
ENTRYPOINT ["/cashier/node", "--max-semi-space-size=16", "--conditions=react-server", "/cashier/scripts/cashier.mjs"]
CMD ["start"]
