# The commands of this project; scripts/ implements them. `make help` lists them.
.PHONY: help run build install deb image test test-reports test-looks test-faults test-security bench bench-rules bench-gateway bench-nodes bench-growth bench-export bench-start bench-ephemeral bench-streams bench-pages bench-first-load bench-http pictures fuzz format

help: ## list the commands
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22

run: ## install what is missing, build, start on 127.0.0.1:8080; LAN=1 lets a phone reach it
	@scripts/run

build: ## install what is missing and build the release binary
	@scripts/needs && scripts/build-release

install: ## install to PREFIX (default /usr/local), below DESTDIR: bin/frontdesk, share/frontdesk, systemd's unit
	@scripts/install

deb: ## make a Debian package of it in .build
	@scripts/deb

image: ## make an image for containers of that package, with docker or podman
	@scripts/image

test: ## install what tests need, run every check, end on "N passed, N failed"
	@scripts/test

test-reports: ## every invalid example in the editor, not only the sample that each run shows
	@scripts/needs-tests && scripts/build-release >/dev/null && \
	    FRONTDESK_REPORTS=all .venv/bin/python -m pytest -q -rP Tests/browser/test_reports.py

test-looks: ## the browser's stories in every language and look, of which each run of the tests shows one
	@FRONTDESK_LOOKS=all scripts/test needs build needs-tests browser

test-faults: ## kills, power cuts, failing disks, moved clocks and cut connections, the long tier
	@scripts/needs && scripts/build-release >/dev/null && scripts/test-faults

format: ## format the Swift sources
	swift format -i --recursive --parallel Sources Tests Package.swift

bench: ## acknowledged messages a second beside nginx and RabbitMQ, in one run
	@scripts/build-release >/dev/null && scripts/bench

bench-growth: ## growth with the store: 10 million messages beside 10,000, in one run; about 25 GB of disk
	@scripts/bench-growth

bench-export: ## a whole store goes out and comes in again; ARGS="1000000 100000" for a million messages
	@scripts/bench-export $(ARGS)

bench-rules: ## parsing and validating payloads beside other parsers and validators, in one run
	@scripts/bench-rules

bench-start: ## from starting the process to the first accepted message, on a store of 400,000; median of 10
	@scripts/bench-start

bench-ephemeral: ## from starting an ephemeral gateway to its first answer, median of 20
	@scripts/build-release >/dev/null && scripts/bench-ephemeral

bench-streams: ## 10,000 idle streams of each kind: memory, processor, time to reach them all
	@scripts/needs-tests && scripts/build-release >/dev/null && .venv/bin/python scripts/bench-streams

bench-first-load: ## how long a browser that is far away waits for console, sandbox and the customer's page
	@scripts/needs-tests && scripts/build-release >/dev/null && .venv/bin/python scripts/bench-first-load

bench-pages: ## a thread of 10,000 messages and a list of 5,000 rows in Chromium: script and layout of each frame
	@scripts/needs-tests && scripts/build-release >/dev/null && .venv/bin/python scripts/bench-pages

pictures: ## make the README's pictures anew from a seeded store
	@scripts/needs-tests && scripts/build-release >/dev/null && .venv/bin/python scripts/make-pictures

bench-http: ## the HTTP server by itself beside nginx's empty 200, a core each; ARGS="--beside PROGRAM" for another build
	@scripts/build-release >/dev/null && .venv/bin/python scripts/bench-http $(ARGS)

bench-nodes: ## nodes on one PostgreSQL beside SQLite, RabbitMQ's quorum queue and one transaction a message, in one run
	@scripts/needs-tests && scripts/build-release >/dev/null && .venv/bin/python scripts/bench-nodes

bench-gateway: ## a provider's messages beside readers; ARGS="--beside PROGRAM" for the ratio to another build
	@scripts/needs-tests && scripts/build-release >/dev/null && .venv/bin/python scripts/bench-gateway $(ARGS)

test-security: ## scan a started server's TLS, against Mozilla's intermediate profile
	@scripts/needs-security && scripts/build-release >/dev/null && .venv/bin/python scripts/test-security

fuzz: ## random inputs for parsers and compilers, ten minutes each, under the address sanitizer
	@scripts/fuzz
