# Only files are made here, the same for every architecture.
FROM --platform=$BUILDPLATFORM node:24-alpine AS build
WORKDIR /app
COPY package.json package-lock.json tsconfig.json tsconfig.build.json ./
COPY src ./src
COPY calibrate ./calibrate
COPY portal ./portal
COPY scripts ./scripts
# The package leaves "pg" to its users; the image has it, in the version of the lock file.
RUN npm ci && npm pkg delete devDependencies.pg && npm pkg set "dependencies.pg=*" && npm prune --omit=dev --ignore-scripts

FROM node:24-alpine
# In a container, loopback is out of everybody's reach.
ENV NODE_ENV=production OFFERING_SANDBOX_HOST=0.0.0.0
WORKDIR /app
COPY LICENSE ./
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY bin ./bin
COPY schema ./schema
COPY fixtures ./fixtures
COPY scenarios ./scenarios
# A volume mounted here can be written by the user below.
RUN mkdir -m 777 /data
USER node
EXPOSE 4120
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --start-interval=1s \
  CMD ["node", "-e", "const { PORT, OFFERING_SANDBOX_PORT } = process.env; fetch(`http://127.0.0.1:${OFFERING_SANDBOX_PORT || PORT || 4120}/__admin/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The program handles SIGTERM itself, so it stops as PID 1 too.
ENTRYPOINT ["node", "bin/offering-sandbox.js"]
