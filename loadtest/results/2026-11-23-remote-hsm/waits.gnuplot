set output 'waits.svg'
set terminal svg size 900,760 font 'sans,12' background '#ffffff'
set grid
set key outside bottom center horizontal
set xlabel 's'
set multiplot layout 2,1
set logscale y
set ylabel 'ms from due to 201'
set title 'What each requester waited'
set arrow from 0.000000, graph 0 to 0.000000, graph 1 nohead dt 3
set label 'warm-up' at 0.000000, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 70.453307, graph 0 to 70.453307, graph 1 nohead dt 3
set label 'alone' at 70.453307, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 100.716321, graph 0 to 100.716321, graph 1 nohead dt 3
set label 'home' at 100.716321, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 120.972523, graph 0 to 120.972523, graph 1 nohead dt 3
set label 'moved' at 120.972523, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 141.415896, graph 0 to 141.415896, graph 1 nohead dt 3
set label 'flooded' at 141.415896, graph 0.98 rotate by 90 right font ',9' noenhanced
set arrow from 173.215026, graph 0 to 173.215026, graph 1 nohead dt 3
set label 'again' at 173.215026, graph 0.98 rotate by 90 right font ',9' noenhanced
plot 'waits.tsv' using 1:2 with lines lw 2 title 'warm p50' noenhanced, '' using 1:3 with lines dt 2 title 'warm p99' noenhanced, '' using 1:4 with lines lw 2 title 'warm-remote p50' noenhanced, '' using 1:5 with lines dt 2 title 'warm-remote p99' noenhanced, '' using 1:6 with lines lw 2 title 'local p50' noenhanced, '' using 1:7 with lines dt 2 title 'local p99' noenhanced, '' using 1:8 with lines lw 2 title 'tenant p50' noenhanced, '' using 1:9 with lines dt 2 title 'tenant p99' noenhanced, '' using 1:10 with lines lw 2 title 'mover p50' noenhanced, '' using 1:11 with lines dt 2 title 'mover p99' noenhanced
unset logscale y
set yrange [0:*]
set ylabel 'jobs'
set title 'What waited for each HSM'
unset label
plot 'waits.tsv' using 1:12 with lines lw 2 title 'in nodes for near' noenhanced, '' using 1:13 with lines dt 2 title 'in near' noenhanced, '' using 1:14 with lines lw 2 title 'in nodes for far' noenhanced, '' using 1:15 with lines dt 2 title 'in far' noenhanced
unset multiplot
