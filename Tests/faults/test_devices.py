"""Hundreds of devices on one conversation move between three nodes at will, and one node dies: each has all of it."""

import asyncio
import os
import random
import time
import uuid

from bench.streams import raise_descriptor_limit
from faults.cluster import Cluster
from faults.devices import KINDS, Device, Writer
from faults.ledger import read_back
from faults.stand import IS_LONG, note
from faults.wire import Wire
from support.postgres import shared
from support.server import Customer

DEVICES = 300
SECONDS = 600 if IS_LONG else 10
# Between two messages of each of the three writers.
PAUSE = 0.05
# For devices that have everything but the last messages, on a machine that is busy with other things.
PATIENCE = 60


async def move(cluster, conversation, keys, chance):
    """Devices move while all nodes are written to and one after the other dies; the devices and the writers."""
    ports = cluster.server.ports
    devices = [Device(KINDS[number % 3], keys[number % 3], conversation, random.Random(chance.random()))
               for number in range(DEVICES)]
    lives = [asyncio.create_task(device.live(ports, 0 if number % 2 else chance.uniform(0, SECONDS / 2)))
             for number, device in enumerate(devices)]
    # The control: it moves as the others do, but forgets where it was. It may miss the last message too.
    forgetful = Device(KINDS[1], keys[1], conversation, random.Random(chance.random()), forgets=True)
    control = asyncio.create_task(forgetful.live(ports, 0))
    writers = [Writer(ports, number, cluster.key, conversation, random.Random(chance.random()))
               for number in range(len(ports))]
    end = time.monotonic() + SECONDS
    writing = [asyncio.create_task(writer.write(lambda: time.monotonic() > end, PAUSE)) for writer in writers]
    deaths = 0
    while time.monotonic() < end - 5:
        await asyncio.sleep(chance.uniform(1, 3))
        cluster.server.kill_node(deaths % 3)
        await asyncio.sleep(chance.uniform(0.2, 1))
        await asyncio.to_thread(cluster.server.start_node, deaths % 3)
        deaths += 1
        if not IS_LONG:
            break
    await asyncio.gather(*writing)
    last = str(uuid.uuid4())
    await writers[0].send(last)
    for device in devices:
        device.expect(last)
    await asyncio.wait(lives, timeout=PATIENCE)
    missing = sum(not life.done() for life in lives)
    for life in [*lives, control]:
        life.cancel()
    assert missing == 0, f"{missing} devices never got the last message"
    return devices, forgetful, writers, deaths


def test_devices_that_move_between_nodes_at_will_get_every_message_once_and_in_order():
    seed = int(os.environ.get("FRONTDESK_SEED") or random.SystemRandom().randrange(2**32))
    note(f"devices: seed {seed}")
    raise_descriptor_limit(4096)
    with Cluster(3, shared()) as cluster:
        customer = Customer(cluster.server, cluster.business)
        conversation = customer.say("Hello")["message"]["conversation"]
        cookie = "; ".join(f"{one.name}={one.value}" for one in customer.cookies)
        keys = ((cluster.business, cookie, cluster.server.url), cluster.key, cluster.key)
        devices, forgetful, writers, deaths = asyncio.run(move(cluster, conversation, keys, random.Random(seed)))
        with Wire(cluster.server.port, cluster.key) as wire:
            found = read_back(wire, conversation)
    stored = [message["id"] for message in found]
    assert [message["sequence"] for message in found] == list(range(1, len(stored) + 1))
    acknowledged = {name: sequence for writer in writers for name, sequence in writer.acknowledged.items()}
    assert len(stored) == len(set(stored)), "stored twice"
    lost = [name for name, sequence in acknowledged.items() if stored[sequence - 1] != name]
    assert not lost, f"seed {seed}: {len(lost)} lost or reordered"
    positions = dict.fromkeys(stored, 0)
    for device in [*devices, forgetful]:
        for position, _, name in device.got:
            assert positions[name] in (0, position), f"seed {seed}: {name} has two positions"
            positions[name] = position
    missing, twice, unordered = (sum(one) for one in zip(*(device.faults(stored, positions) for device in devices)))
    resets, moves = sum(device.resets for device in devices), sum(device.moves for device in devices)
    missed, *_ = forgetful.faults(stored, positions)
    events = sum(len(device.got) for device in devices)
    note(f"devices: {DEVICES} on one conversation over three nodes, {moves} moves, {deaths} nodes killed, "
         f"{len(acknowledged)} acknowledged ({sum(one.again for one in writers)} sent again), {len(lost)} lost, "
         f"{events} received, {missing} missing, {twice} twice, {unordered} out of order, {resets} resets; "
         f"control, one that forgets where it was: {missed} missing")
    assert (missing, twice, unordered, resets) == (0, 0, 0, 0), f"seed {seed}"
    assert moves > 2 * DEVICES and events > DEVICES * len(stored) / 3, "not a load"
    assert missed > 0, "the check would not see what is missing"
