module example.com/things
