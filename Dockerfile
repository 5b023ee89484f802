# The bot image: Python, Node, C and C++, Java, Go and Rust. Two targets: `build` has the compilers, `run` only what
# finished bots need. `harness image build` makes both; another base with apt serves as well (`--base`).
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS base
ARG DEBIAN_FRONTEND=noninteractive
# The directories of manual pages are missing in slim bases, and the Java package wants one of them.
RUN mkdir -p /usr/share/man/man1 /bot /io \
 && apt-get update \
 && apt-get install -y --no-install-recommends \
      ca-certificates default-jre-headless libgomp1 libstdc++6 nodejs python3 python3-numpy \
 && rm -rf /var/lib/apt/lists/* \
 && find / -xdev -type f -perm /6000 -exec chmod a-s {} +

FROM base AS build
ARG DEBIAN_FRONTEND=noninteractive
RUN apt-get update \
 && apt-get install -y --no-install-recommends \
      cargo cmake default-jdk-headless g++ gcc golang-go libc6-dev make rustc \
 && rm -rf /var/lib/apt/lists/* \
 && mkdir -p /source /build
COPY starter.c /opt/botpit/starter.c
RUN gcc -std=gnu11 -Os -static -s -Wall -Wextra -Werror -o /opt/botpit/starter /opt/botpit/starter.c

FROM base AS run
COPY --from=build /opt/botpit/starter /opt/botpit/starter
