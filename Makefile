# The verbs of this house; the work is in scripts/. `make help` lists them.
.PHONY: help test format

help: ## list the verbs
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1\t/' | expand -t 22

test: ## install what tests need, run every check, end on "N passed, N failed"
	@scripts/test

format: ## lay out the Swift sources
	swift format -i --recursive --parallel Sources Tests Package.swift
