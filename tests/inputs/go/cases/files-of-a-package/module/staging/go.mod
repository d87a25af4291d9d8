module example.com/staged
