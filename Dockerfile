# The Node that package.json pins; a test compares the two.
ARG NODE=26.10.0

FROM node:${NODE}-slim AS build
WORKDIR /inkstead
COPY package.json package-lock.json .npmrc ./
# The image has Node; elsewhere it is one of the packages.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && rm -rf node_modules/node-linux-* node_modules/.bin/node
COPY . .
RUN node scripts/run.ts build

FROM node:${NODE}-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# glibc's arenas per thread take a tenth of a busy site's memory.
ENV MALLOC_ARENA_MAX=2
# The command name in messages, for docker exec.
ENV INKSTEAD_COMMAND="node scripts/run.ts"
WORKDIR /inkstead
RUN mkdir /data && chown node:node /data
COPY --from=build /inkstead/package.json ./
COPY --from=build /inkstead/node_modules node_modules
COPY --from=build /inkstead/build build
COPY --from=build /inkstead/app app
COPY --from=build /inkstead/domain domain
COPY --from=build /inkstead/platform platform
COPY --from=build /inkstead/server server
COPY --from=build /inkstead/scripts scripts
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "--heap-growing-percent=70", "build/site/serve.js"]
