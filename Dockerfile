# The command alone: a static binary that .ci/release has built.
#
#     .ci/release x86_64-unknown-linux-musl
#     docker build --build-arg BINARY=dist/x86_64-unknown-linux-musl/robotsc -t robotsc .
#     docker run --rm -v "$PWD:/work:ro" -w /work robotsc lint robots.txt
FROM scratch
ARG BINARY=dist/x86_64-unknown-linux-musl/robotsc
COPY ${BINARY} /robotsc
USER 65534:65534
ENTRYPOINT ["/robotsc"]
