def order_to_hub(source, generated):
    hub = generated(source)
    hub.note = "\n".join(source.notes or ())
    return hub


def order_from_hub(hub, generated):
    order = generated(hub)
    order.notes = hub.note.splitlines()
    return order
