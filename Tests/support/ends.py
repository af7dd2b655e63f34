"""Fixtures of tests that have a provider, an upstream gateway or a merchant on loopback."""

import pytest
from support.server import Customer
from support.merchant import Merchant
from support.provider import Endpoint, Provider
from support.registered import registered


@pytest.fixture
def end():
    """A provider on loopback."""
    made = Provider()
    yield made
    made.stop()


@pytest.fixture
def upstream():
    """The part of an upstream gateway on loopback that receives posts."""
    made = Endpoint()
    yield made
    made.stop()


@pytest.fixture
def merchant():
    """A merchant on this machine."""
    made = Merchant()
    yield made
    made.stop()


@pytest.fixture(scope="module")
def provider(server, sandbox):
    """A provider registered by the command line."""
    with registered(server, sandbox["id"]) as made:
        yield made


@pytest.fixture
def customer(server, sandbox, provider):
    """A new customer whose first words have reached the provider; with its name."""
    phone = Customer(server, sandbox["id"])
    phone.say("hello")
    phone.name = provider.next("text")["sourceId"]
    return phone
